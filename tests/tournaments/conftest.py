"""What tests of pages have in common."""

import re
from html import unescape

import pytest
from django.urls import reverse


@pytest.fixture
def read(client):
    """read(address) -> the words of the page between its crumbs and its foot, as an English reader sees them."""
    client.cookies["language"] = "en"

    def words(address):
        answer = client.get(address)
        assert answer.status_code == 200, address
        main = re.search(r"<main.*</main>", answer.content.decode(), re.DOTALL)[0]
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())

    return words


@pytest.fixture
def html(client):
    """html(name, *args, query="") -> the page as it comes, in English."""
    client.cookies["language"] = "en"

    def page(name, *args, query=""):
        answer = client.get(reverse(name, args=args) + query)
        assert answer.status_code == 200, (name, args)
        return answer.content.decode()

    return page
