# A chat engine whose memory outlives the process: python llamaindex_memory.py
import os
import time

os.environ["MEM0_TELEMETRY"] = "false"  # Before the import, or the client reports to its maker.

from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import MockLLM
from llama_index.core.memory import Memory
from llama_index.memory.mem0 import Mem0Memory
from mem0 import MemoryClient

llm = MockLLM()  # <- your model
client = MemoryClient(
    host=os.environ.get("MEM0_HOST", "http://127.0.0.1:8787"),
    api_key=os.environ["MEM0_API_KEY"],
)


def open_memory():
    return Mem0Memory(
        primary_memory=Memory.from_defaults(), context={"user_id": "gus"}, client=client
    )


engine = SimpleChatEngine.from_defaults(llm=llm, memory=open_memory())
engine.chat("I am allergic to penicillin.")

# The server extracts facts in the background, usually within a second.
for _ in range(100):
    if client.get_all(filters={"user_id": "gus"})["count"] > 0:
        break
    time.sleep(0.1)

# A later chat has no messages yet, and its model still gets to know what was said.
later = open_memory()
print(later.get("Which allergies do I have?")[0].content)
