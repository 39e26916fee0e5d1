"""Addresses of the first page: every one that the site has, and what phones load."""

from django.urls import path, re_path

from tricky_site.own_https import views

handler400 = "tricky_site.own_https.views.not_understood"
handler500 = "tricky_site.own_https.views.broken"

urlpatterns = [
    path("healthz", views.healthz),
    path("trust/tricky.crt", views.certificate, name="certificate"),
    path("trust/tricky.mobileconfig", views.profile, name="profile"),
    path("trust/", views.trusting, name="trusting"),
    re_path("", views.first_page, name="first_page"),
]
