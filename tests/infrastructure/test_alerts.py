"""The key and the topic of alerts are private, kept in production, and named only to the functions that need them."""

from functions.routes import ROUTES
from functions.steps import STEPS
from infra.config import Config
from tests.infrastructure.conftest import RICH, Synthesise
from tests.infrastructure.templates import listed, text


def test_the_key_of_webhooks_is_generated_by_aws(system: Synthesise) -> None:
    for prefix, made in (("StockTrackRecord", system()), ("StockTrackRecord-prod", system(**RICH))):
        (key,) = [
            each["Properties"]
            for each in made.resources("AWS::SecretsManager::Secret", "data").values()
            if each["Properties"]["Name"] == f"{prefix}/alert-key"
        ]
        assert "SecretString" not in key
        assert key["GenerateSecretString"]["PasswordLength"] >= 32


def test_the_topics_of_alerts_are_encrypted_and_take_messages_over_tls_only(system: Synthesise) -> None:
    topics = system().resources("AWS::SNS::Topic", "data")
    policies = system().resources("AWS::SNS::TopicPolicy", "data")

    statements = [each["Properties"]["PolicyDocument"]["Statement"] for each in policies.values()]
    for topic in topics.values():
        assert text(topic["Properties"]["KmsMasterKeyId"]).endswith(":alias/aws/sns")
    for (statement,) in statements:
        assert (statement["Effect"], statement["Principal"]) == ("Deny", "*")
        assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    protected = {text(statement["Resource"]) for (statement,) in statements}
    assert protected == {f"{{{name.partition('/')[2]}}}" for name in topics}


def test_functions_find_every_topic_by_the_name_of_the_first(system: Synthesise) -> None:
    made = system(alert_topics=3)
    named = [each["Properties"]["TopicName"] for each in made.resources("AWS::SNS::Topic", "data").values()]
    sender = made.functions()["deliver_alerts"]["Environment"]["Variables"]

    first = text(sender["ALERTS_TOPIC_ARN"]).rpartition(":")[2]
    (publish,) = [each for each in made.statements("deliver_alerts") if "sns:Publish" in listed(each["Action"])]
    assert sender["ALERT_TOPICS"] == "3"
    assert sorted(named) == sorted([first, f"{first}-2", f"{first}-3"])
    assert sorted(text(each).rpartition(":")[2] for each in listed(publish["Resource"])) == sorted(named)


def test_production_keeps_what_receivers_have_copied_or_confirmed(system: Synthesise) -> None:
    kept = {
        name: each
        for kind in ("AWS::SNS::Topic", "AWS::SecretsManager::Secret")
        for name, each in system(**RICH).resources(kind, "data").items()
    }

    assert len(kept) == 2 + Config.model_fields["alert_topics"].default
    for name, each in kept.items():
        assert each["DeletionPolicy"] == "RetainExceptOnCreate", name


def test_only_functions_that_send_alerts_are_told_of_the_key_and_the_topic(system: Synthesise) -> None:
    rows = {each.module: each for each in (*ROUTES, *STEPS)}

    for module, function in system().functions().items():
        told, row = function["Environment"]["Variables"], rows.get(module)
        assert ("ALERT_KEY_SECRET_ID" in told) == bool(row and row.signs_webhooks), module
        assert ("ALERTS_TOPIC_ARN" in told) == bool(row and row.email), module


def test_the_functions_that_sign_and_send_are_few(system: Synthesise) -> None:
    rows = (*ROUTES, *STEPS)

    assert {row.module for row in rows if "Publish" in row.email} == {"deliver_alerts", "send_test_alert"}
    assert {row.module for row in rows if "Subscribe" in row.email} == {"put_alert_settings"}
    assert all(route.role for route in ROUTES if route.signs_webhooks or route.email)


def test_only_e_mail_addresses_are_subscribed(system: Synthesise) -> None:
    for route in ROUTES:
        for statement in system().statements(route.module):
            if "sns:Subscribe" in listed(statement["Action"]):
                assert statement["Condition"] == {"StringEquals": {"sns:Protocol": "email"}}
