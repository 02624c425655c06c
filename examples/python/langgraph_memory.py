# A graph that recalls before the model answers and remembers after: python langgraph_memory.py
import os

os.environ["MEM0_TELEMETRY"] = "false"  # Before the import, or the client reports to its maker.
os.environ["LANGSMITH_TRACING"] = "false"

from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import SystemMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from mem0 import MemoryClient

memory = MemoryClient(
    host=os.environ.get("MEM0_HOST", "http://127.0.0.1:8787"),
    api_key=os.environ["MEM0_API_KEY"],
)
model = FakeListChatModel(responses=["Noted.", "A nut-free cake."])  # <- your model


class State(MessagesState):
    user_id: str
    recalled: list[str]


def recall(state: State):
    question = state["messages"][-1].content
    found = memory.search(question, filters={"user_id": state["user_id"]}, top_k=5)
    return {"recalled": [item["memory"] for item in found["results"]]}


def answer(state: State):
    known = "Known about the user:\n" + "\n".join(state["recalled"])
    return {"messages": [model.invoke([SystemMessage(known), *state["messages"]])]}


def remember(state: State):
    # As it was said. Leave infer=False out to have facts extracted, in the background.
    memory.add(state["messages"][-2].content, user_id=state["user_id"], infer=False)


steps = StateGraph(State).add_sequence([recall, answer, remember])
graph = steps.add_edge(START, "recall").add_edge("remember", END).compile()

for said in ["I am allergic to nuts.", "Which cake can I eat with an allergy to nuts?"]:
    result = graph.invoke({"messages": [("user", said)], "user_id": "eve"})
    print("recalled:", result["recalled"])
    print("answered:", result["messages"][-1].content)
