"""Where the page of all parts is."""

from django.urls import path

from tricky_site.style_guide.views import letter, style_guide

app_name = "style_guide"
urlpatterns = [
    path("", style_guide, name="page"),
    path("letters/<slug:name>/", letter, name="letter"),
]
