"""A dozen user journeys in browsers that Playwright does not support.

`OTHER_BROWSER` is `firefox` or `webkit`; `script/test` runs those that are installed.
"""
