// The official OpenAI client for Node against a server: says what it got, as one JSON object.
import OpenAI from "openai";

const client = new OpenAI({ baseURL: process.argv[2], apiKey: "none", maxRetries: 0, defaultHeaders: { "X-Pagefile-User": encodeURIComponent("王小明") } });
const got = {};

const whole = await client.chat.completions.create({ model: "test-model", messages: [{ role: "user", content: "我住在杭州。" }] });
got.whole = whole.choices[0].message.content;

const history = [{ role: "user", content: "我住在杭州。" }, { role: "assistant", content: got.whole }, { role: "user", content: "Tell me more, please." }];
const stream = await client.chat.completions.create({ model: "test-model", messages: history, stream: true, stream_options: { include_usage: true } });
got.streamed = "";
for await (const chunk of stream) {
  got.streamed += chunk.choices[0]?.delta?.content ?? "";
  got.usage = chunk.usage?.total_tokens ?? got.usage;
}

const tools = [{ type: "function", function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } } }];
const runner = client.chat.completions.stream({ model: "test-model", messages: [{ role: "user", content: "Weather in Oslo?" }], tools });
const called = await runner.finalChatCompletion();
got.call = called.choices[0].message.tool_calls[0].function;

try {
  await client.chat.completions.create({ model: "test-model", messages: [{ role: "user", content: "Once more, please." }] });
} catch (error) {
  got.error = [error.status, error.code, error.headers.get("retry-after")];
}
got.models = (await client.models.list()).data.map((model) => model.id);
console.log(JSON.stringify(got));
