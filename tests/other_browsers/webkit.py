"""WebKitGTK's browser, driven by its own WebDriver."""

import json
import os
import subprocess
import warnings
from typing import Any

from selenium.common.exceptions import JavascriptException, WebDriverException
from selenium.webdriver import WebKitGTK, WebKitGTKOptions
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.webkitgtk.service import Service

from tests.other_browsers.phone import PATIENCE, SIZE, Phone, ScriptError

RUN = """
const done = arguments[arguments.length - 1];
Promise.resolve().then(() => (%s)).then((v) => done(JSON.stringify(v ?? null)), (e) => done(JSON.stringify({ failed: String(e) })));
"""


class WebKit(Phone):
    def __init__(self, origin: str, driver: str, browser: str) -> None:
        super().__init__(origin)
        options = WebKitGTKOptions()
        options.binary_location = browser
        options.add_argument("--automation")
        self._screen = None if "DISPLAY" in os.environ else _start_screen()
        with warnings.catch_warnings():
            # Selenium's own code uses deprecated parts of Selenium.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._driver = WebKitGTK(options=options, service=Service(driver))
        self._driver.set_script_timeout(PATIENCE)
        # The window has borders, so the size needs a second try.
        for _time in range(2):
            inner = self.evaluate("[innerWidth, innerHeight]")
            size = self._driver.get_window_size()
            self._driver.set_window_size(
                size["width"] + SIZE[0] - inner[0], size["height"] + SIZE[1] - inner[1]
            )

    def navigate(self, url: str) -> None:
        self._driver.get(url)

    def evaluate(self, script: str) -> Any:
        try:
            value = json.loads(self._driver.execute_async_script(RUN % script))
        except JavascriptException as error:
            raise ScriptError(error.msg) from error
        except WebDriverException:
            return None
        if isinstance(value, dict) and "failed" in value:
            raise ScriptError(value["failed"])
        return value

    def tap_at(self, x: float, y: float) -> None:
        """Click a point: the driver of this browser has no touch input."""
        chain = ActionChains(self._driver, duration=0)
        chain.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        chain.w3c_actions.pointer_action.click()
        chain.perform()

    def picture(self) -> bytes:
        return self._driver.get_screenshot_as_png()

    def close(self) -> None:
        self._driver.quit()
        if self._screen is not None:
            self._screen.terminate()
            self._screen.wait()
            del os.environ["DISPLAY"]


def _start_screen() -> subprocess.Popen[bytes]:
    """Start a virtual screen for a browser that needs one."""
    read_end, write_end = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1280x1024x24"],
        pass_fds=[write_end],
        stderr=subprocess.DEVNULL,
    )
    os.close(write_end)
    with os.fdopen(read_end) as lines:
        os.environ["DISPLAY"] = f":{lines.readline().strip()}"
    return screen
