# The memory from asynchronous code: python async_client.py
import asyncio
import os

os.environ["MEM0_TELEMETRY"] = "false"  # Before the import, or the client reports to its maker.

from mem0 import AsyncMemoryClient


async def main():
    memory = AsyncMemoryClient(
        host=os.environ.get("MEM0_HOST", "http://127.0.0.1:8787"),
        api_key=os.environ["MEM0_API_KEY"],
    )
    async with memory:
        facts = ["Ben plays the cello.", "Ben works as a diver."]
        await asyncio.gather(*(memory.add(fact, user_id="ben", infer=False) for fact in facts))

        found = await memory.search("which instrument", filters={"user_id": "ben"}, top_k=1)
        print("found:", found["results"][0]["memory"])

        await memory.delete_all(user_id="ben")
        left = await memory.get_all(filters={"user_id": "ben"})
        print("left:", left["count"])


asyncio.run(main())
