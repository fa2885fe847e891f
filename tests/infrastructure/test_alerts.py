"""The key and the topic of alerts are private, kept in production, and named only to the functions that need them."""

from functions.routes import ROUTES
from functions.steps import STEPS
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


def test_the_topic_of_alerts_is_encrypted_and_takes_messages_over_tls_only(system: Synthesise) -> None:
    ((name, topic),) = system().resources("AWS::SNS::Topic", "data").items()
    (policy,) = system().resources("AWS::SNS::TopicPolicy", "data").values()

    assert text(topic["Properties"]["KmsMasterKeyId"]).endswith(":alias/aws/sns")
    (statement,) = policy["Properties"]["PolicyDocument"]["Statement"]
    assert (statement["Effect"], statement["Principal"]) == ("Deny", "*")
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    assert text(statement["Resource"]) == f"{{{name.partition('/')[2]}}}"


def test_production_keeps_what_receivers_have_copied_or_confirmed(system: Synthesise) -> None:
    kept = {
        name: each
        for kind in ("AWS::SNS::Topic", "AWS::SecretsManager::Secret")
        for name, each in system(**RICH).resources(kind, "data").items()
    }

    assert len(kept) == 3
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
    assert all(route.needs_token for route in ROUTES if route.signs_webhooks or route.email)


def test_only_e_mail_addresses_are_subscribed(system: Synthesise) -> None:
    for route in ROUTES:
        for statement in system().statements(route.module):
            if "sns:Subscribe" in listed(statement["Action"]):
                assert statement["Condition"] == {"StringEquals": {"sns:Protocol": "email"}}
