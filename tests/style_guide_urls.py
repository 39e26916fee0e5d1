"""The addresses of the site with the page of all parts, as a developer has them."""

from django.urls import include, path

from tricky_site.urls import urlpatterns as addresses

urlpatterns = [
    *addresses,
    path("styleguide/", include("tricky_site.style_guide.views")),
]
