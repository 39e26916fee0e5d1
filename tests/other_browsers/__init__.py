"""A dozen ways through the app in browsers that Playwright does not drive.

`OTHER_BROWSER=firefox` or `webkit` says in which; `script/test` asks those that are
installed.
"""
