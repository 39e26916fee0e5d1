"""URLs on plain HTTP: every path of the site shows the page about trust."""

from django.urls import path, re_path

from tricky_site.own_https import views

handler400 = "tricky_site.own_https.views.bad_request"
handler500 = "tricky_site.own_https.views.server_error"

urlpatterns = [
    path("healthz", views.healthz),
    path("trust/tricky.crt", views.certificate, name="certificate"),
    path("trust/", views.trust_page, name="trust"),
    re_path("", views.trust_page),
]
