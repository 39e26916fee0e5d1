"""Form fields for names and other short texts."""

from typing import Any

from django import forms

from scoring.locales.sentences import translate
from scoring.rules.names import find_name_fault, find_text_fault, normalize_text
from scoring.rules.wording import Sentence


class ShortTextField(forms.CharField):
    """A title, place or reason on one line."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return normalize_text(text) if text else text

    def find_fault(self, text: str) -> Sentence | None:
        return find_text_fault(text)

    def validate(self, value: Any) -> None:
        """Raise ValidationError if the text has unsafe characters."""
        super().validate(value)
        fault = self.find_fault(value) if value else None
        if fault:
            raise forms.ValidationError(translate(fault))


class NameField(ShortTextField):
    """The name of a person or thing, with at least one visible character."""

    def find_fault(self, text: str) -> Sentence | None:
        return find_name_fault(text)
