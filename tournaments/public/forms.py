"""Forms on public pages."""

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import gettext_lazy as _

from tournaments.models import HallScreen, User
from tournaments.public.operations import Steering
from tournaments.web.forms import RefusableForm


class HallForm(RefusableForm):
    """What the screens of the hall show."""

    parts = forms.MultipleChoiceField(
        label=_("What is shown, in turn"),
        choices=HallScreen.Part.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "chips"}),
        help_text=_("With nothing chosen the screens show the message alone."),
    )
    seconds = forms.IntegerField(
        label=_("Seconds a page"), widget=forms.NumberInput(attrs={"class": "stepper", "data-step": "5"})
    )
    message = forms.CharField(
        label=_("Message to the hall"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "maxlength": 200}),
        help_text=_("Everybody in the hall reads it, above whatever is shown."),
    )

    def steering(self) -> Steering:
        """Return what the operation needs."""
        data = self.cleaned_data
        return Steering(parts=data["parts"], seconds=data["seconds"], message=data["message"])

    @staticmethod
    def of(screen: HallScreen) -> dict[str, Any]:
        """Return what is shown now, for the form to begin with."""
        return {"parts": screen.parts, "seconds": screen.seconds, "message": screen.message}


class NewPasswordForm(RefusableForm):
    """A new password, typed twice."""

    password1 = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), strip=False
    )
    password2 = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), strip=False
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        """Take the user whose password is set."""
        super().__init__(*args, **kwargs)
        self.user = user

    def clean(self) -> dict[str, Any]:
        """Hold the password against the rules of the site, and the two against each other."""
        cleaned: dict[str, Any] = super().clean() or {}
        first, second = cleaned.get("password1"), cleaned.get("password2")
        if first and second and first != second:
            self.add_error("password2", _("The two passwords differ."))
        elif first:
            try:
                validate_password(first, self.user)
            except forms.ValidationError as error:
                self.add_error("password1", error)
        return cleaned
