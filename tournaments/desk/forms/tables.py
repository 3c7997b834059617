"""Forms about the hands of a table."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.web.forms import ReasonForm


class VoidForm(ReasonForm):
    """Why a hand is void, and who dealt the later ones where that makes a difference. [RULES 9.23]"""

    keep_dealers = forms.BooleanField(label=_("Keep the dealers as they were played"), required=False)

    def __init__(self, *args: Any, has_choice: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_choice:
            del self.fields["keep_dealers"]
