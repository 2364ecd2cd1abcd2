"""The docstrings of the installed packages: thousands of real texts whose topic is known."""

import importlib
import inspect
import pkgutil
import re
import sys
import warnings
from types import ModuleType

PACKAGES = ("standard library", "numpy", "scipy", "sklearn")

#: Shorter texts say too little, in characters.
MIN_LENGTH = 50

#: Modules that do something when imported, are deprecated, or are not for users.
EXCLUDED = {
    *("aifc", "antigravity", "asynchat", "asyncore", "audioop", "cgi", "cgitb", "chunk", "crypt"),
    *("distutils", "encodings", "ensurepip", "idlelib", "imghdr", "imp", "lib2to3", "mailcap"),
    *("msilib", "nis", "nntplib", "nt", "ossaudiodev", "pipes", "pydoc_data", "readline"),
    *("rlcompleter", "smtpd", "sndhdr", "spwd", "sre_compile", "sre_constants", "sre_parse"),
    *("sunau", "telnetlib", "this", "tkinter", "turtle", "turtledemo", "uu", "xdrlib"),
    *("conftest", "core", "estimator_checks", "experimental", "externals", "f2py", "matlib"),
    *("setup", "test", "testing", "tests"),
}


def docstring_corpus(packages=PACKAGES):
    """Return the docstrings of public functions, classes and other objects.

    What gives the answer away is taken out of the texts: the object's own name, dotted names,
    code, cross-references, lists of related functions and the names of the packages. So are
    numbers with a point: SciPy draws some of them anew in each process.

    Parameters
    ----------
    packages : tuple of str, default=("standard library", "numpy", "scipy", "sklearn")
        Importable packages; "standard library" is that of the running Python.

    Returns
    -------
    list of (str, str, str)
        Id, text and label of each object, by id. The id is where to import it from, such as
        "scipy.stats.norm"; the label is the sub-package, "scipy.stats", or the module of the
        standard library. No two texts are equal.

    Examples
    --------
    >>> from core.docstring_corpus import docstring_corpus
    >>> corpus = docstring_corpus(("numpy",))
    >>> [label for name, _, label in corpus if name == "numpy.linalg.norm"]
    ['numpy.linalg']
    """
    names = {}
    for package in packages:
        # All are imported before one is read: a submodule may hide a function of the same name.
        for module in list(_public_modules(package)):
            for name, value in _public_objects(module):
                known = names.get(id(value), (name, value))[0]
                names[id(value)] = (min(known, name, key=_obviousness), value)
    corpus, texts = [], set()
    for name, value in sorted(names.values(), key=lambda item: item[0]):
        text = strip_docstring(value.__doc__, name)
        if len(text) >= MIN_LENGTH and text not in texts:
            texts.add(text)
            corpus.append((name, text, _label(name)))
    return corpus


def _public_modules(package):
    """Yield the modules of a package whose names say that they are for users."""
    if package != "standard library":
        yield from _with_submodules(package)
        return
    for name in sorted(sys.stdlib_module_names - EXCLUDED):
        if not name.startswith("_"):
            yield from _with_submodules(name)


def _with_submodules(name):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = importlib.import_module(name)
    except ImportError:  # of another platform, or without its optional dependency
        return
    yield module
    for child in sorted(pkgutil.iter_modules(getattr(module, "__path__", []))):
        if not child.name.startswith("_") and child.name not in EXCLUDED:
            yield from _with_submodules(f"{name}.{child.name}")


def _public_objects(module):
    """Yield name and value of what a module defines and documents."""
    package = module.__name__.partition(".")[0]
    names = getattr(module, "__all__", None)
    for name in vars(module) if names is None else names:
        value = vars(module).get(name)
        if name.startswith("_") or isinstance(value, ModuleType):
            continue
        home = str(getattr(value, "__module__", "")).lstrip("_").partition(".")[0]
        doc = getattr(value, "__doc__", None)
        # An instance without a docstring of its own shows that of its class.
        has_own = isinstance(doc, str) and doc != type(value).__doc__
        if has_own and (names is not None or home == package):
            yield f"{module.__name__}.{name}", value


def _obviousness(name):
    return name.count("."), len(name), name


def _label(name):
    *module, _ = name.split(".")
    return ".".join(module[: 1 if module[0] in sys.stdlib_module_names else 2])


LEAKS = re.compile(
    r"""
      ^See\ Also\n-+\n.*?(?=^\S[^\n]*\n-{3}|\Z)  # the section of that name
    | ^\s*(?:>>>|\.\.\.)[^\n]*                   # code of examples
    | [-+]?\b\d+\.\d*(?:e[-+]?\d+)?              # results of examples: SciPy draws some anew
    | ^\s*\.\.\ [\w:-]+::[^\n]*                  # directives, such as "versionadded"
    | :[\w:+.-]+:`[^`]*`                         # cross-references
    | \b[A-Za-z_]\w*(?:\.\w+)+                   # dotted names
    | \b(?i:numpy|np|scipy|scikit-learn|scikit|sklearn)\b
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)


def strip_docstring(docstring, name):
    r"""Return a docstring without what tells where it is from, on one line.

    Examples
    --------
    >>> from core.docstring_corpus import strip_docstring
    >>> strip_docstring("Norm of x, see numpy.fft and :func:`det`.\n>>> norm(x)", "scipy.norm")
    'of x, see and .'
    """
    text = LEAKS.sub(" ", inspect.cleandoc(docstring))
    own_name = re.escape(name.rpartition(".")[2])
    return " ".join(re.sub(rf"\b{own_name}\b", " ", text, flags=re.IGNORECASE).split())
