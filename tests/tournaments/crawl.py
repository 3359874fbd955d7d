"""Every public page that can be reached by links, as an anonymous reader gets it."""

import re

from django.test import Client

LINK = re.compile(r'(?:href|hx-get)="(/[^"#]*)')
NOT_PAGES = ("/static/", "/i18n/", "/import", "/demo", "/sign-out", "/live")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')


def crawl(start="/", *, language="it", most=600, skip=(), within="/"):
    """Path -> body of every page that links lead to from `start`; what the heavy worker makes is left out.

    `within`: how the paths of these pages begin.
    """
    client = Client(headers={"accept-language": language})
    pages, waiting = {}, [start]
    while waiting:
        path = waiting.pop()
        if (
            path in pages
            or path.startswith(NOT_PAGES)
            or not path.startswith(within)
            or any(word in path for word in (".pdf", "everything.csv", *skip))
        ):
            continue
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        assert "sessionid" not in answer.cookies, path
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        pages[path] = TOKEN.sub("", body.decode(errors="replace"))
        assert len(pages) <= most
        if answer["Content-Type"].startswith("text/html"):
            found = LINK.findall(pages[path])
            waiting += [link.replace("&amp;", "&") for link in reversed(found)]
    return pages
