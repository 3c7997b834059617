"""Pages as somebody with a mouse has them: the forms on them, the buttons of these, and what a press sends."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client

SKIPPED = frozenset({"submit", "button", "reset", "file", "image"})


@dataclass
class Button:
    """One button: what it says, and what it sends besides the fields of its form."""

    text: str
    action: str
    name: str = ""
    value: str = ""
    is_disabled: bool = False


@dataclass
class Form:
    """One form that writes: where it goes, its fields as the page filled them in, the choices it offers, its buttons."""

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)
    needed: set[str] = field(default_factory=set)
    buttons: list[Button] = field(default_factory=list)
    method: str = "post"


class _Reader(HTMLParser):
    """Reads the forms of a page."""

    def __init__(self, address: str) -> None:
        super().__init__(convert_charrefs=True)
        self.address = address
        self.forms: list[Form] = []
        self.links: list[tuple[str, str]] = []
        self.form: Form | None = None
        self.said: list[str] | None = None
        self.select = ""
        self.area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take up a form, a field, a button or a link."""
        has = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in has:
            self.links.append((has["href"], ""))
            self.said = []
        elif tag == "form":
            self.form = Form(has.get("action") or self.address, method=has.get("method", "get").lower())
        elif self.form is not None:
            self._in_form(self.form, tag, has)

    def _in_form(self, form: Form, tag: str, has: dict[str, str]) -> None:
        name, kind = has.get("name", ""), has.get("type", "text")
        if tag == "button" and kind in ("text", "submit"):
            action = has.get("formaction") or form.action
            form.buttons.append(Button("", action, name, has.get("value", ""), "disabled" in has))
            self.said = []
        elif tag == "select" and name:
            self.select = name
            form.choices[name] = []
        elif tag == "option" and self.select:
            form.choices[self.select].append(has.get("value", ""))
            if "selected" in has or len(form.choices[self.select]) == 1:
                form.fields = [pair for pair in form.fields if pair[0] != self.select]
                form.fields.append((self.select, has.get("value", "")))
        elif tag == "textarea" and name:
            self.area, self.said = name, []
        elif tag == "input" and name and kind not in SKIPPED and "disabled" not in has:
            if kind in ("radio", "checkbox"):
                form.choices.setdefault(name, []).append(has.get("value", "on"))
            if kind not in ("radio", "checkbox") or "checked" in has:
                form.fields.append((name, has.get("value", "on" if kind == "checkbox" else "")))
        if "required" in has and name:
            form.needed.add(name)

    def handle_endtag(self, tag: str) -> None:
        """Leave what was taken up."""
        text = " ".join("".join(self.said or []).split())
        if tag == "a" and self.links and self.said is not None:
            self.links[-1] = (self.links[-1][0], text)
        elif tag == "button" and self.form is not None and self.form.buttons and self.said is not None:
            self.form.buttons[-1].text = text
        elif tag == "textarea" and self.form is not None and self.area:
            self.form.fields.append((self.area, "".join(self.said or []).strip()))
            self.area = ""
        elif tag == "select":
            self.select = ""
        elif tag == "form" and self.form is not None:
            self.forms.append(self.form)
            self.form = None
        else:
            return
        self.said = None

    def handle_data(self, data: str) -> None:
        """Keep what a button or a link says."""
        if self.said is not None:
            self.said.append(data)


def _read(page: Any) -> _Reader:
    reader = _Reader(page.request["PATH_INFO"])
    reader.feed(page.content.decode())
    return reader


def forms_on(page: Any) -> list[Form]:
    """Return the forms of a page that write and have a button."""
    return [form for form in _read(page).forms if form.method == "post" and form.buttons]


def links_on(page: Any) -> list[tuple[str, str]]:
    """Return the links of a page, each with what it says."""
    return _read(page).links


def send(client: Client, form: Form, button: Button, **changed: Any) -> Any:
    """Press a button; what is typed, or a file, takes the place of what the page had filled in. Redirects are followed."""
    said: dict[str, list[Any]] = {}
    for name, value in form.fields:
        if name not in changed and name != "form_end":
            said.setdefault(name, []).append(value)
    said |= {name: [value] for name, value in changed.items()}
    if button.name:
        said[button.name] = [button.value]
    return client.post(button.action, said, follow=True)


def press(client: Client, page: Any, text: str, **typed: str) -> Any:
    """Press the button of a page that says this."""
    found = [(form, one) for form in forms_on(page) for one in form.buttons if one.text == text]
    assert found, f"no button says {text!r} on {page.request['PATH_INFO']}"
    return send(client, *found[0], **typed)
