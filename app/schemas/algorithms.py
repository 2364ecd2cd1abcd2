"""Bodies about algorithms and feature selectors."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class FeatureSelectorRead(BaseModel):
    name: str
    summary: str
    assumption: str = Field(description="What must hold of the data; check it against yours.")
    reference: str = Field(description="Where the method was published.")
    parameters: dict[str, Any] = Field(description="JSON Schema of the parameters.")


class AlgorithmRead(FeatureSelectorRead):
    is_transductive: bool = Field(
        description="Whether it learns scores for the documents of its training; new ones are "
        "folded in."
    )
    representation: str = Field(description="What it is fed: counts, binary or tfidf.")
    vectorizer: dict[str, Any] = Field(
        description="Its own defaults of the vectorizer's parameters. `auto` may choose others; "
        "each model tells which it was made with."
    )
    is_blockwise: bool = Field(
        description="Whether it works on the documents in blocks, with its default parameters: "
        "then memory grows by some hundred bytes for each document and term, however long the "
        "documents are. Others copy the matrix or hold a graph."
    )


class AlgorithmList(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "algorithms": [
                        {
                            "name": "prototype",
                            "summary": "Cosine similarity to the mean of the labeled positives.",
                            "assumption": "All positives are about one thing: they lie around one "
                            "centre.",
                            "reference": "Manevitz and Yousef, One-class SVMs for document "
                            "classification, JMLR 2, 2001",
                            "parameters": {"type": "object", "properties": {}},
                            "is_transductive": False,
                            "representation": "tfidf",
                            "vectorizer": {"representation": "tfidf", "sublinear_tf": True},
                            "is_blockwise": True,
                        }
                    ],
                    "vectorizer": {"type": "object", "properties": {}},
                }
            ]
        }
    )

    algorithms: list[AlgorithmRead]
    vectorizer: dict[str, Any] = Field(
        description="JSON Schema of the vectorizer's parameters. Those without a default take that "
        "of the algorithm or of the project's language. A `max_df` of 1 is taken as 1.0: all texts."
    )


class FeatureSelectorList(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "feature_selectors": [
                        {
                            "name": "k_best",
                            "summary": "Select the features that depend most on being labeled, by "
                            "chi-squared.",
                            "assumption": "Which positives were labeled does not depend on their "
                            "words.",
                            "reference": "Yang and Pedersen, Feature selection in text "
                            "categorization, ICML 1997",
                            "parameters": {"type": "object", "properties": {}},
                        }
                    ]
                }
            ]
        }
    )

    feature_selectors: list[FeatureSelectorRead]
