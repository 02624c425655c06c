# mneme as an MCP server of this process, on the store of this machine: python mcp_stdio.py
import asyncio

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

# On Windows: command="cmd", args=["/c", "npx", "-y", "mneme"]
server = StdioServerParameters(command="npx", args=["-y", "mneme"])


async def main():
    async with Client(stdio_client(server)) as client:
        tools = (await client.list_tools()).tools
        print("tools:", ", ".join(sorted(tool.name for tool in tools)[:3]), "...")

        fact = {"text": "Cleo keeps bees.", "user_id": "cleo"}
        await client.call_tool("add_memory", fact)

        question = {"query": "what animals does she keep", "user_id": "cleo"}
        found = await client.call_tool("search_memories", question)
        print("found:", found.structured_content["results"][0]["memory"])


asyncio.run(main())
