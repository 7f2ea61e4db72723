"""`pytest --attnspec TARGET`: the options; what needs more than pytest is imported when they are used (conformance)."""

from __future__ import annotations

import argparse
from typing import Any

import pytest

from attnspec.cli.common import UsageFault
from attnspec.cli.options import DEFAULTS, DTYPES, JUDGING, LEVELS, seconds

_PATHS = ("target", "known_failures", "corpus")
_CHOICES = {"level": LEVELS, "dtype": DTYPES}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--attnspec`, the options of `attnspec check` under its prefix, and a setting of the same name for each."""
    group = parser.getgroup("attnspec", "attnspec: hold a target to the specification of attention")
    group.addoption("--attnspec", metavar="TARGET", help="a test for each case of the corpus, asked of this target")
    parser.addini("attnspec", "the target of --attnspec, for every run", default=None)
    for name, settings in JUDGING.items():
        option = f"attnspec-{name}"
        kind = {"append": "args", "store_true": "bool"}.get(settings.get("action", ""), "string")
        group.addoption(f"--{option}", default=None, **settings)
        parser.addini(_attribute(option), settings["help"], type=kind, default=None)  # type: ignore[arg-type]


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known, so that `-m "not attnspec"` leaves the corpus out."""
    config.addinivalue_line("markers", "attnspec: a case of the corpus, asked of the target of --attnspec")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Take the corpus into the run where there is a target."""
    config = session.config
    try:
        options = _options(config)
        if options is None:
            return
        _check_root(config)
        from attnspec.cli.pytest_corpus import CorpusPlugin

        config.pluginmanager.register(CorpusPlugin(config, options), "attnspec-corpus")
    except UsageFault as fault:
        raise pytest.UsageError(*str(fault).splitlines()) from None


def _options(config: pytest.Config) -> argparse.Namespace | None:
    """Return what `attnspec check` would have been given: options, settings where there are none, defaults."""
    target = _value(config, "target", "attnspec")
    if not target:
        return None
    values = {name: _value(config, name, f"attnspec_{name}") for name in DEFAULTS}
    given = {name: value for name, value in values.items() if value is not None}
    return argparse.Namespace(**DEFAULTS | given | {"target": target})


def _value(config: pytest.Config, name: str, option: str) -> Any:
    """Return the value of an option, or of the setting; paths count from where the user wrote them."""
    value = config.getoption(option)
    folder = config.invocation_params.dir
    if value is None:
        value = _setting(config, name, option)
        folder = config.inipath.parent if config.inipath else folder
    is_path = name in _PATHS and value and (name != "target" or _is_file(value))
    return str(folder / value) if is_path else value


def _is_file(target: str) -> bool:
    return target.endswith(".py") and not target.startswith("cmd:")


def _setting(config: pytest.Config, name: str, option: str) -> Any:
    value = config.getini(option)
    if value and name in _CHOICES and value not in _CHOICES[name]:
        raise UsageFault(f"{option} = {value}: {' or '.join(_CHOICES[name])} is expected")
    if value and name == "timeout":
        try:
            return seconds(str(value))
        except argparse.ArgumentTypeError as error:
            raise UsageFault(f"{option} = {error}") from None
    return value


def _check_root(config: pytest.Config) -> None:
    """Refuse to run under the settings of a target's folder: pytest, which knows no option yet, goes by its words."""
    here = config.invocation_params.dir
    is_elsewhere = config.rootpath not in (here, *here.parents)
    if is_elsewhere and "--attnspec" in config.invocation_params.args and not config.getoption("rootdir"):
        target = config.getoption("attnspec")
        raise UsageFault(
            f"pytest takes {config.rootpath}, the folder of {target}, for the root of this run; "
            f"write --attnspec={target} in one word"
        )


def _attribute(option: str) -> str:
    return option.replace("-", "_")
