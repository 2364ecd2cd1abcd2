"""Settings that cannot be, or contradict each other."""

from inspect import Parameter, signature

import psycopg
import pytest
from pydantic import ValidationError

from app.settings import DRIVER_OPTIONS, Settings


@pytest.mark.parametrize(
    "environment",
    [
        {"SEEDBED_JOB_LEASE_SECONDS": "4"},
        {"SEEDBED_JOB_RENEW_SECONDS": "30"},
        {"SEEDBED_JOB_LEASE_SECONDS": "1", "SEEDBED_JOB_RENEW_SECONDS": "2"},
    ],
)
def test_lease_must_outlast_its_renewal(environment: dict[str, str]) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.from_environment(environment)

    (problem,) = caught.value.errors()
    assert problem["loc"] == ("job_renew_seconds",)
    assert "must be less than SEEDBED_JOB_LEASE_SECONDS" in problem["msg"]


def test_lease_that_is_no_number_is_the_only_problem() -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.from_environment({"SEEDBED_JOB_LEASE_SECONDS": "long"})

    assert [problem["loc"] for problem in caught.value.errors()] == [("job_lease_seconds",)]


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("sqlite:////data/x.db", "sqlite:////data/x.db"),
        ("postgres://u:p%40s@h:1/n?sslmode=require", "u:p%40s@h:1/n?sslmode=require"),
        ("postgresql://h/n", "h/n"),
        ("postgresql+psycopg://h/n", "h/n"),
        (" postgresql://u@h/n\n", "u@h/n"),
    ],
)
def test_usual_urls_of_postgresql_are_understood(given: str, read: str) -> None:
    url = Settings(database_url=given).database_url

    assert url == (given if given.startswith("sqlite") else f"postgresql+psycopg://{read}")


@pytest.mark.parametrize(
    "url",
    [
        "mysql://user:secret@host/name",
        "postgresql+psycopg2://user:secret@host/name",
        "postgresql://user:secret@host:notaport/name",
        "postgresql://user:secret/1@host/name",
        "sqlite://secret/relative.db",
        "sqlite:///:memory:",
        "postgresql://user:se@cret@host/name",
        "sqlite://",
        "secret",
        "",
    ],
)
def test_urls_of_other_databases_are_refused_without_their_password(url: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.from_environment({"SEEDBED_DATABASE_URL": url})

    (problem,) = caught.value.errors()
    assert problem["loc"] == ("database_url",)
    assert "postgresql://" in problem["msg"]
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "refused"),
    [
        ("sqlite:///x.db?timeout=60", "timeout"),
        ("sqlite:///file:x.db?mode=memory&uri=true", "mode, uri"),
        ("sqlite:///x.db?uri", "uri"),
        ("postgresql://h/n?sslmode=require&prepare_threshold=0", "prepare_threshold"),
    ],
)
def test_options_of_a_database_that_would_fail_later_stop_the_start(url: str, refused: str) -> None:
    with pytest.raises(ValidationError, match=rf"must not have {refused} after the \?"):
        Settings(database_url=url)


def test_what_the_driver_takes_as_objects_is_known() -> None:
    taken = signature(psycopg.Connection.connect).parameters.values()
    assert {one.name for one in taken if one.kind is Parameter.KEYWORD_ONLY} == DRIVER_OPTIONS


@pytest.mark.parametrize(
    "url", ["", " ", "ftp://host/x", "s3://", "memory:///", "file://relative/x", "s3:///prefix"]
)
def test_what_is_no_store_of_artifacts_stops_the_start(url: str) -> None:
    with pytest.raises(ValidationError, match="must be a folder"):
        Settings(artifacts_url=url)


@pytest.mark.parametrize("url", ["data/x", "/data/x", "file:///data/x", "s3://bucket", "gs://b/p"])
def test_folders_and_buckets_are_stores(url: str) -> None:
    assert Settings(artifacts_url=f" {url}").artifacts_url == url


def test_an_empty_cache_directory_is_not_the_present_folder() -> None:
    with pytest.raises(ValidationError, match="must be a folder; it is empty"):
        Settings.from_environment({"SEEDBED_CACHE_DIRECTORY": " "})


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("SEEDBED_API_PROCESSES", 256),
        ("SEEDBED_WORKER_SLOTS", 256),
        ("SEEDBED_JOB_THREADS", 1024),
        ("SEEDBED_DATABASE_TIMEOUT_SECONDS", 24 * 3600),
    ],
)
def test_a_number_that_no_machine_could_follow_stops_the_start(name: str, most: int) -> None:
    Settings.from_environment({name: str(most)})
    with pytest.raises(ValidationError, match=f"less than or equal to {most}"):
        Settings.from_environment({name: str(most + 1)})


@pytest.mark.parametrize("hosts", ["http://docs.example.com", "one, two.example.com:8000"])
def test_what_can_be_the_name_of_no_host_is_refused(hosts: str) -> None:
    with pytest.raises(ValidationError, match="without http:// and port"):
        Settings.from_environment({"SEEDBED_ALLOWED_HOSTS": hosts})


def test_users_are_names_with_passwords() -> None:
    users = " anna:0123456789abcdef,ben:a-password.of_his~own , "
    assert Settings.from_environment({"SEEDBED_USERS": users}).passwords == {
        "anna": "0123456789abcdef",
        "ben": "a-password.of_his~own",
    }
    assert Settings().passwords == {}


@pytest.mark.parametrize(
    ("users", "why"),
    [
        ("", "unset it to let everybody in"),
        (" ,", "unset it to let everybody in"),
        ("anna", "must be NAME:PASSWORD"),
        ("anna:0123456789abcde", "16 characters or more"),
        (":0123456789abcdef", "must be NAME:PASSWORD"),
        ("anna:0123456789:abcdef", "letters, digits"),
        ("anna:0123456789@abcdef", "letters, digits"),
        ("änna:0123456789abcdef", "letters, digits"),
        ("anna:0123456789abcdef, anna:0123456789abcdeg", "each name once"),
    ],
)
def test_users_that_nobody_could_be_stop_the_start(users: str, why: str) -> None:
    with pytest.raises(ValidationError, match=why) as caught:
        Settings.from_environment({"SEEDBED_USERS": users})
    assert "0123456789" not in str(caught.value)
