# A crew's agent with a memory that outlives it: python crewai_memory.py
import os

os.environ["MEM0_TELEMETRY"] = "false"  # Before the imports, or they report to their makers.
os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"
os.environ["OTEL_SDK_DISABLED"] = "true"

from crewai import Agent
from crewai.tools import tool
from mem0 import MemoryClient

memory = MemoryClient(
    host=os.environ.get("MEM0_HOST", "http://127.0.0.1:8787"),
    api_key=os.environ["MEM0_API_KEY"],
)


@tool("remember")
def remember(fact: str) -> str:
    """Store one lasting fact about the user."""
    return memory.add(fact, user_id="iris", infer=False)["results"][0]["memory"]


@tool("recall")
def recall(question: str) -> str:
    """Find what is known about the user."""
    found = memory.search(question, filters={"user_id": "iris"}, top_k=5)
    return "\n".join(item["memory"] for item in found["results"]) or "Nothing is known."


# Without a model: what the agent's calls do.
print("stored:", remember.run(fact="Iris grows orchids."))
print("recalled:", recall.run(question="what does she grow"))

if "OPENAI_API_KEY" in os.environ:
    agent = Agent(
        role="assistant",
        goal="Answer with what is known about the user",
        backstory="You recall before you answer, and remember what will matter later.",
        tools=[remember, recall],
        llm=os.environ.get("OPENAI_MODEL"),  # <- your model; None is the default one
    )
    print("answered:", agent.kickoff("What do I grow?").raw)
