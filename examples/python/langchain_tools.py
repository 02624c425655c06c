# The memory as tools of a LangChain agent, through MCP: python langchain_tools.py
import asyncio
import os

os.environ["LANGSMITH_TRACING"] = "false"

from langchain_mcp_adapters.client import MultiServerMCPClient

host = os.environ.get("MEM0_HOST", "http://127.0.0.1:8787")
client = MultiServerMCPClient({
    "mneme": {
        "transport": "streamable_http",
        "url": f"{host}/mcp?user_id=finn&tools=add_memory,search_memories",
        "headers": {"Authorization": f"Bearer {os.environ['MEM0_API_KEY']}"},
    },
})


async def main():
    tools = {tool.name: tool for tool in await client.get_tools()}
    print("tools:", ", ".join(sorted(tools)))
    # An agent that has them: create_agent("your-model", list(tools.values()))

    await tools["add_memory"].ainvoke({"text": "Finn repairs clocks."})
    found = await tools["search_memories"].ainvoke({"query": "what does he repair"})
    print("found:", "Finn repairs clocks." in str(found))


asyncio.run(main())
