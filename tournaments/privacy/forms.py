"""What is asked before something is forgotten."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import User
from tournaments.people.rules.names import search_key
from tournaments.web.forms import RefusableForm


class EraseForm(RefusableForm):
    """Erase a player: confirmed by typing the name, since nothing brings it back."""

    typed = forms.CharField(
        label=_("Type the player's name"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Type the name to confirm.")},
    )

    def __init__(self, *args: Any, name: str, **kwargs: Any) -> None:
        """Know the name."""
        super().__init__(*args, **kwargs)
        self.name = name

    def clean_typed(self) -> str:
        """Refuse another name; capitals do not matter."""
        typed: str = self.cleaned_data["typed"]
        if search_key(typed) != search_key(self.name):
            raise forms.ValidationError(
                _("This is not the name of the player: %(name)s.") % {"name": self.name}
            )
        return typed


class OwnErasureForm(RefusableForm):
    """Ask to be erased, knowing what it means."""

    is_sure = forms.BooleanField(
        label=_("I want my data erased; nothing brings it back"),
        error_messages={"required": _("Tick this if you are sure.")},
    )


class OwnNameForm(RefusableForm):
    """The name of somebody who works at events, as pages and papers show it."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=100,
        required=False,
        help_text=_("It stands on protocols, receipts and the event's page instead of the account's name."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


class DeleteAccountForm(RefusableForm):
    """Delete the own account."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": _("Type your password to confirm.")},
    )
    leaves_events = forms.BooleanField(
        label=_("Leave my events to the site's operator, who will find them another organizer"),
        required=False,
    )

    def __init__(self, *args: Any, user: User, has_events: bool, **kwargs: Any) -> None:
        """Ask about events only where there are some."""
        super().__init__(*args, **kwargs)
        self.user = user
        if not has_events:
            del self.fields["leaves_events"]

    def clean_password(self) -> str:
        """Refuse a wrong password."""
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(_("This is not your password."))
        return password
