# An agent with mneme's tools: python openai_agents_memory.py
import asyncio
import os

os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"  # Traces go to OpenAI otherwise.

from agents import Agent, Runner
from agents.mcp import MCPServerStreamableHttp

host = os.environ.get("MEM0_HOST", "http://127.0.0.1:8787")
params = {
    "url": f"{host}/mcp?user_id=hana&tools=add_memory,search_memories",
    "headers": {"Authorization": f"Bearer {os.environ['MEM0_API_KEY']}"},
}


async def main():
    async with MCPServerStreamableHttp(params, cache_tools_list=True) as mneme:
        print("tools:", ", ".join(sorted(tool.name for tool in await mneme.list_tools())))

        # Without a model: what the agent's calls do.
        await mneme.call_tool("add_memory", {"text": "Hana paints ships."})
        found = await mneme.call_tool("search_memories", {"query": "what does she paint"})
        print("found:", "Hana paints ships." in found.content[0].text)

        agent = Agent(
            name="assistant",
            instructions="Search the memory before you answer. Store lasting facts.",
            mcp_servers=[mneme],
            model=os.environ.get("OPENAI_MODEL"),  # <- your model; None is the default one
        )
        if "OPENAI_API_KEY" in os.environ:
            print("answered:", (await Runner.run(agent, "What do I paint?")).final_output)


asyncio.run(main())
