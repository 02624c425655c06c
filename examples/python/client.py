# The memory from a script: python client.py
import os

os.environ["MEM0_TELEMETRY"] = "false"  # Before the import, or the client reports to its maker.

from mem0 import MemoryClient
from mem0.exceptions import MemoryNotFoundError, ValidationError

memory = MemoryClient(
    host=os.environ.get("MEM0_HOST", "http://127.0.0.1:8787"),
    api_key=os.environ["MEM0_API_KEY"],
)

# One fact, stored word for word and at once. Without infer=False the server extracts facts from
# the messages in the background and answers with an event_id.
added = memory.add(
    [{"role": "user", "content": "Ann is allergic to hazelnuts."}],
    user_id="ann", infer=False, metadata={"topic": "health"},
)
memory_id = added["results"][0]["id"]
memory.add("Ann moved to Porto.", user_id="ann", infer=False, metadata={"topic": "home"})

found = memory.search("what is she allergic to", filters={"user_id": "ann"}, top_k=1)
print("found:", found["results"][0]["memory"])

at_home = {"AND": [{"user_id": "ann"}, {"metadata": {"topic": "home"}}]}
page = memory.get_all(filters=at_home, page=1, page_size=50)
print("listed:", page["count"], page["results"][0]["memory"])

memory.update(memory_id, text="Ann is allergic to all nuts.")
for entry in memory.history(memory_id):
    print("history:", entry["event"], entry["new_memory"])

memory.delete(memory_id)
try:
    memory.get(memory_id)
except MemoryNotFoundError as error:
    print("not found:", error.error_code)
try:
    memory.search("nuts", filters={"user_id": "ann"}, top_k=0)
except ValidationError as error:
    print("refused:", error.message)

memory.delete_all(user_id="ann")
