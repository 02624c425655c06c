# mneme on a server, through MCP: python mcp_http.py
import asyncio
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

host = os.environ.get("MEM0_HOST", "http://127.0.0.1:8787")
headers = {"Authorization": f"Bearer {os.environ['MEM0_API_KEY']}"}


async def main():
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http_client:
        # The address names the owner of all that is stored and found.
        transport = streamable_http_client(f"{host}/mcp?user_id=dora", http_client=http_client)
        async with Client(transport) as client:
            await client.call_tool("add_memory", {"text": "Dora sails on Sundays."})
            found = await client.call_tool("search_memories", {"query": "when does she sail"})
            print("found:", found.structured_content["results"][0]["memory"])


asyncio.run(main())
