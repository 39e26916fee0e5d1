"""Notifications to devices by Web Push: subscriptions, and delivery.

It knows events and their subjects. The wording belongs to the pages, and devices without a
subscription get nothing.
"""
