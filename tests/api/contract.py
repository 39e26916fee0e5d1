"""Whether programs that know one description of the API can go on with another.

What is sent may be more than before, never less; what is answered likewise. So a request must take
all that it took, and an answer must hold all that it held.
"""

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]
Document = Mapping[str, Any]

UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems")
LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems")
METHODS = ("get", "put", "post", "patch", "delete")


def broken(before: Document, after: Document) -> list[str]:
    """Return what programs that know the first description miss in the second."""
    return list(_of_paths(before, after))


def _of_paths(before: Document, after: Document) -> Iterator[str]:
    for path, operations in before["paths"].items():
        for method in METHODS:
            if method not in operations:
                continue
            now = after["paths"].get(path, {}).get(method)
            where = f"{method.upper()} {path}"
            if now is None:
                yield f"{where}: gone"
            else:
                yield from Comparison(before, after).of_operation(
                    where, operations[method], now
                )


class Comparison:
    """Two descriptions side by side."""

    def __init__(self, before: Document, after: Document) -> None:
        """Take both."""
        self.before, self.after = before, after
        self.seen: set[tuple[str, str, bool]] = set()

    def of_operation(self, where: str, old: Any, new: Any) -> Iterator[str]:
        """Yield what an operation took or answered, and does no more."""
        if old["operationId"] != new["operationId"]:
            yield f"{where}: called {new['operationId']} now"
        yield from self._of_parameters(where, old, new)
        old_body, new_body = _body(old), _body(new)
        if old_body is None and new_body is not None:
            yield f"{where}: a body is needed"
        elif old_body is not None and new_body is None:
            yield f"{where}: takes no body"
        elif old_body is not None and new_body is not None:
            yield from self.of_schema(f"{where} sent", old_body, new_body, sent=True)
        for status, answer in old["responses"].items():
            answer = _answer(self.before, answer)
            told = _answer(self.after, new["responses"].get(status))
            if told is None:
                yield f"{where}: answers no {status}"
                continue
            for kind, content in answer.get("content", {}).items():
                now = told.get("content", {}).get(kind)
                if now is None:
                    yield f"{where}: {status} is no {kind}"
                else:
                    yield from self.of_schema(
                        f"{where} {status}",
                        content["schema"],
                        now["schema"],
                        sent=False,
                    )

    def _of_parameters(self, where: str, old: Any, new: Any) -> Iterator[str]:
        known = {(p["in"], p["name"]): p for p in old["parameters"]}
        now = {(p["in"], p["name"]): p for p in new["parameters"]}
        for key, parameter in known.items():
            if key not in now:
                yield f"{where}: parameter {key[1]} is gone"
                continue
            if now[key]["required"] and not parameter["required"]:
                yield f"{where}: parameter {key[1]} is needed"
            yield from self.of_schema(
                f"{where}: parameter {key[1]}",
                parameter["schema"],
                now[key]["schema"],
                sent=True,
            )
        for key in now.keys() - known.keys():
            if now[key]["required"]:
                yield f"{where}: parameter {key[1]} is needed"

    def of_schema(
        self, where: str, old: Schema, new: Schema, *, sent: bool
    ) -> Iterator[str]:
        """Yield what a part of something held or took, and does no more."""
        pair = (str(old.get("$ref", id(old))), str(new.get("$ref", id(new))), sent)
        if pair in self.seen:
            return
        self.seen.add(pair)
        olds, news = _kinds(self.before, old), _kinds(self.after, new)
        # What was sent must be taken still; what is answered must be known already.
        given, taking = (olds, news) if sent else (news, olds)
        for kind in given.keys() - taking.keys():
            if kind == "integer" and "number" in taking:
                continue
            yield f"{where}: {'takes no' if sent else 'may be'} {kind}"
        for kind in olds.keys() & news.keys():
            yield from self._of_kind(where, olds[kind], news[kind], sent=sent)

    def _of_kind(
        self, where: str, old: Schema, new: Schema, *, sent: bool
    ) -> Iterator[str]:
        for value in old.get("enum", ()) if sent else ():
            if value not in new.get("enum", [value]):
                yield f"{where}: takes no {value}"
        if sent and "enum" not in old and "enum" in new:
            yield f"{where}: takes some values alone"
        if sent:
            yield from _narrowed(where, old, new)
        fields, now = old.get("properties", {}), new.get("properties", {})
        needed = set(new.get("required", ())) - set(old.get("required", ()))
        for name, field in fields.items():
            if name not in now:
                yield f"{where}: {name} is gone"
            else:
                inner = f"{where}.{name}"
                yield from self.of_schema(inner, field, now[name], sent=sent)
        if sent:
            yield from (f"{where}: {name} is needed" for name in sorted(needed))
        else:
            missing = set(old.get("required", ())) - set(new.get("required", ()))
            for name in sorted(missing & set(now)):
                yield f"{where}: {name} may be missing"
        if "items" in old and "items" in new:
            inner = f"{where}[]"
            yield from self.of_schema(inner, old["items"], new["items"], sent=sent)


def _answer(document: Document, answer: Any) -> Any:
    """Return an answer that stands among those that many operations have."""
    if answer is None or "$ref" not in answer:
        return answer
    return document["components"]["responses"][answer["$ref"].rpartition("/")[2]]


def _body(operation: Any) -> Schema | None:
    content = operation.get("requestBody", {}).get("content", {})
    return next((kind["schema"] for kind in content.values()), None)


def _kinds(document: Document, schema: Schema) -> dict[str, Schema]:
    """Return what something may be, by its type: references and choices taken apart."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return _kinds(document, document["components"]["schemas"][name])
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return {
                kind: part
                for choice in schema[several]
                for kind, part in _kinds(document, choice).items()
            }
    if "const" in schema:
        return {schema.get("type", "string"): {**schema, "enum": [schema["const"]]}}
    return {schema.get("type", "anything"): schema}


def _narrowed(where: str, old: Schema, new: Schema) -> Iterator[str]:
    for name in UPPER:
        if name in new and (name not in old or new[name] < old[name]):
            yield f"{where}: {name} is {new[name]}"
    for name in LOWER:
        if name in new and (name not in old or new[name] > old[name]):
            yield f"{where}: {name} is {new[name]}"
    if "pattern" in new and new["pattern"] != old.get("pattern"):
        yield f"{where}: has to be as {new['pattern']}"
    if new.get("additionalProperties") is False and old.get(
        "additionalProperties", True
    ):
        yield f"{where}: takes no further fields"
