"""The invented people of the demonstration: who they are, where they play, which world editions they played."""

from __future__ import annotations

from typing import Any, NamedTuple

from players.rules.names import search_key

LANTERNA = "Circolo della Lanterna"
RIVIERA = "Gingo Club Riviera"
DOPOLAVORO = "Dopolavoro Porto Vecchio"
ADALAR = "Adalar Gingo Kulübü"
THURSDAY = "The Thursday Table"
NO_CLUB = ""


class Person(NamedTuple):
    """`editions`: the world championships played. `coppa`: plays the Coppa Adriatica too."""

    first: str
    last: str
    club: str
    editions: tuple[int, ...] = ()
    coppa: bool = True

    @property
    def code(self) -> str:
        """The id in every file: `rossi-marta`."""
        return search_key(f"{self.last} {self.first}").replace(" ", "-")

    @property
    def name(self) -> str:
        """As the person writes it."""
        return f"{self.first} {self.last}"

    def in_file(self) -> dict[str, Any]:
        """The person as a tournament file knows him."""
        club = {"club": self.club} if self.club else {}
        return {"id": self.code, "name": self.name, **club}


ALWAYS = (39, 40, 41, 42)

WORLD = (
    Person("Marta", "Rossi", LANTERNA, ALWAYS),
    Person("Ayşe", "Öztürk", ADALAR, ALWAYS),
    Person("Colin", "Ashworth", THURSDAY, ALWAYS),
    Person("Davide", "Zamagni", RIVIERA, ALWAYS),
    Person("Işıl", "Karadeniz", ADALAR, ALWAYS),
    Person("Nicolò", "Gamberini", LANTERNA, ALWAYS),
    Person("Şükrü", "Yıldırım", ADALAR, (39, 40, 42)),
    Person("Elisabetta", "Fabbri", RIVIERA, (39, 40)),
    Person("Harriet", "Lockwood", THURSDAY, ALWAYS),
    Person("Tommaso", "D'Amico", DOPOLAVORO, ALWAYS),
    Person("Çağla", "Şentürk", ADALAR, ALWAYS),
    Person("Piero", "Montanari", LANTERNA, ALWAYS),
    Person("Lucia", "De Santi", DOPOLAVORO, ALWAYS),
    Person("İlhan", "Doğramacı", ADALAR, (39, 40, 41)),
    Person("Rosalind", "Pickering", THURSDAY, ALWAYS),
    Person("Giovanna", "Casadei", RIVIERA, ALWAYS),
    Person("Andrea", "Tonini", NO_CLUB, (40,)),
    Person("Ferruccio", "Bassani", DOPOLAVORO, (40, 41, 42)),
    Person("Gülşen", "Kılınç", ADALAR, (40, 41, 42)),
    Person("Sabrina", "Ugolini", RIVIERA, (40, 41, 42)),
    Person("Edmund", "Fairweather", THURSDAY, (40, 41, 42)),
    Person("Matteo", "Lazzarini", LANTERNA, (40, 41, 42)),
    Person("Özgür", "Işıldak", ADALAR, (40, 41, 42)),
    Person("Chiara", "Brighi", RIVIERA, (40, 41, 42)),
    Person("Walter", "Semprini", DOPOLAVORO, (40, 41, 42)),
    Person("Beatrice", "Holmwood", THURSDAY, (41, 42)),
    Person("Umut", "Sarıgöl", ADALAR, (41, 42)),
    Person("Noemi", "Pasolini Dall'Olio", LANTERNA, (41, 42)),
    Person("Irmak", "Çetinkaya", ADALAR, (42,)),
    Person("Riccardo", "Mengozzi", RIVIERA, (42,)),
    Person("Winifred", "Oakes", THURSDAY, (42,)),
    Person("Salvatore", "Pizzolante", NO_CLUB, (42,)),
    Person("Tuğba", "Ünlüer", ADALAR, (42,)),
)

LOCALS = (
    Person("Adele", "Baldisserri", RIVIERA),
    Person("Bruno", "Cecchini", RIVIERA),
    Person("Carlotta", "Drudi", LANTERNA),
    Person("Dino", "Evangelisti", DOPOLAVORO),
    Person("Emma", "Foschi", RIVIERA),
    Person("Fabio", "Gardini", LANTERNA),
    Person("Gaia", "Innocenti", DOPOLAVORO),
    Person("Ivano", "Lombardini", RIVIERA),
    Person("Katia", "Magnani", NO_CLUB),
    Person("Lorenzo", "Neri", LANTERNA),
    Person("Mirella", "Orlandi", DOPOLAVORO),
    Person("Nazario", "Pari", RIVIERA),
    Person("Ornella", "Quadrelli", LANTERNA),
    Person("Primo", "Ravaioli", DOPOLAVORO),
    Person("Rita", "Savini", RIVIERA),
    Person("Sergio", "Tamburini", LANTERNA),
    Person("Teresa", "Urbinati", RIVIERA),
    Person("Ugo", "Vandi", DOPOLAVORO),
    Person("Viola", "Zoli", LANTERNA),
    Person("Zeno", "Amadori", RIVIERA),
    Person("Alice", "Betti", DOPOLAVORO),
    Person("Cesare", "Corbelli", LANTERNA),
    Person("Donatella", "Fiorini", RIVIERA),
    Person("Ezio", "Giunchi", NO_CLUB),
    Person("Flavia", "Lugaresi", DOPOLAVORO),
    Person("Guido", "Muccioli", LANTERNA),
    Person("Ilaria", "Nanni", RIVIERA),
)

RETIRED = (
    Person("Aurelio", "Zanetti", LANTERNA, (39,), coppa=False),
    Person("Nermin", "Akıncı", ADALAR, (39,), coppa=False),
    Person("Percival", "Stanhope", THURSDAY, (39,), coppa=False),
    Person("Wanda", "Bertozzi", DOPOLAVORO, (39,), coppa=False),
)

EVERYBODY = (*WORLD, *LOCALS, *RETIRED)
BY_CODE = {person.code: person for person in EVERYBODY}


def entrants(edition: int) -> tuple[str, ...]:
    """Ids of those who played a world edition."""
    return tuple(person.code for person in EVERYBODY if edition in person.editions)
