"""U+0000 never gets to the database: it is at no address and in no key of a session."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
IN_ENGLISH = {"HTTP_HOST": "localhost", "HTTP_ACCEPT_LANGUAGE": "en"}


@pytest.mark.parametrize(
    "address",
    [
        "/?x=%00",
        "/rankings/?club=%00",
        "/rankings/?page=1&club=a&club=b%00",
        "/rankings/wo%00rld/",
        "/rankings/world/?edition=%00",
        "/clubs/circolo-demo/rankings/%00/",
        "/tournaments/?q=a%00b",
        "/tournaments/?year=%00&club=%00",
        "/players/?q=%00",
        "/tournaments/x/rulings/?article=%00",
        "/import/a%00b/",
        "/import/a/?page=%00",
        "/demo/?%00=%00",
    ],
)
def test_nothing_is_at_an_address_with_it(address):
    page = Client(**IN_ENGLISH).get(address)
    assert page.status_code == 404
    assert "Nothing is here" in page.content.decode()


def test_a_session_with_it_is_none(django_assert_num_queries):
    browser = Client(**IN_ENGLISH, headers={"cookie": r'sessionid="\000aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"; theme=dark'})
    page = browser.get("/demo/")
    assert page.status_code == 200
    assert 'data-theme="dark"' in page.content.decode()
    with django_assert_num_queries(0):
        assert browser.get("/rules/").status_code == 200


def test_without_it_all_is_as_ever():
    assert Client(**IN_ENGLISH).get("/players/?q=00%2500").status_code == 200
