import time, gzip, pytest
from tests.tournaments.rows import generated
from tournaments.queries.tournament import tournament_for_page
from players.actor import SYSTEM
from tournaments.web import prints
from tournaments.web.printing import pdf_of, csv_of
from tournaments.exchange.writing import text_of
from tournaments.queries.tournament import file_for_export
pytestmark = pytest.mark.django_db
def test_probe():
    row = generated(5, 200, hands=25)
    view = tournament_for_page(SYSTEM, row.slug)
    t=time.perf_counter(); f=text_of(file_for_export(SYSTEM,row.slug)); print("\nfile", time.perf_counter()-t, len(f))
    for word in ("ranking","heats-1","everything"):
        asked = prints.print_of(view, word) if word!="ranking" or view.outcome.final_ranking else prints.Print("agp")
        c0=time.process_time(); t=time.perf_counter(); doc = prints.document_of(view, asked, "it"); t1=time.perf_counter()
        c = csv_of(doc); t2=time.perf_counter(); c1=time.process_time()
        p = pdf_of(doc); t3=time.perf_counter()
        print(asked.word, "weight", prints.weight(view, asked), f"doc {t1-t:.2f} csv {t2-t1:.2f} cpu {c1-c0:.2f} {len(c)} pdf {t3-t2:.1f} s {len(p)} packed {len(gzip.compress(p,6))}")
