// A GGUF file behind an OpenAI-compatible interface, by the ready binary of llama.cpp that
// the package node-llama-cpp brings. One request at a time, greedy, nothing from the network.
//
//     node llama_server.mjs MODEL.gguf [PORT]        (port 0, the default, takes any free one)
//
// /v1/chat/completions puts the messages into the chat template of the file;
// /v1/completions goes on with the prompt as it is, as a base model is asked.

import {createServer} from "node:http";
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";
import {basename} from "node:path";

// Packages are found from the folder where the command is given, not from this file.
const here = createRequire(process.cwd() + "/");
const load = (name) => import(pathToFileURL(here.resolve(name)).href);
const {getLlama} = await load("node-llama-cpp");
const {Template} = await load("@huggingface/jinja");

const [file, port = "0"] = process.argv.slice(2);
if (!file) {
    console.error("llama_server: no model given; say: node llama_server.mjs MODEL.gguf [PORT]");
    process.exit(2);
}
const CONTEXT = 4096; // tokens of prompt and answer together
const LARGEST_BODY = 1 << 22; // bytes

const llama = await getLlama({gpu: false, build: "never", skipDownload: true, progressLogs: false});
const model = await llama.loadModel({modelPath: file});
const context = await model.createContext({contextSize: CONTEXT, threads: 1});
const sequence = context.getSequence();
const template = new Template(model.fileInfo.metadata.tokenizer.chat_template ?? "");
// A chat template writes the first token itself; a bare prompt has it where the file says so.
const begin = model.fileInfo.metadata.tokenizer.ggml.add_bos_token ? [model.tokens.bos] : [];
const name = basename(file);

async function answer(tokens, asked) {
    const most = asked.max_completion_tokens ?? asked.max_tokens ?? 256;
    if (tokens.length + most > CONTEXT)
        throw new Error(`prompt ${tokens.length} and answer ${most} do not fit ${CONTEXT} tokens`);
    const stops = [asked.stop ?? []].flat().filter((stop) => stop);
    const written = [];
    let text = "";
    let ended = "stop"; // by its own end, or at a text it was told to stop at
    await sequence.clearHistory();
    for await (const token of sequence.evaluate(tokens, {temperature: 0})) {
        if (model.isEogToken(token)) break;
        written.push(token);
        text = model.detokenize(written);
        const ends = stops.map((stop) => text.indexOf(stop)).filter((place) => place >= 0);
        if (ends.length > 0) {
            text = text.slice(0, Math.min(...ends));
            break;
        }
        if (written.length >= most) {
            ended = "length";
            break;
        }
    }
    const usage = {
        prompt_tokens: tokens.length, completion_tokens: written.length,
        total_tokens: tokens.length + written.length,
    };
    return {response: text, usage, finish_reason: ended};
}

function tokensOf(path, asked) {
    if (path === "/v1/completions") return [...begin, ...model.tokenize(String(asked.prompt))];
    if (path !== "/v1/chat/completions") throw new Error(`no such address: ${path}`);
    const text = template.render({
        messages: asked.messages, add_generation_prompt: true, bos_token: "", eos_token: "",
    });
    return model.tokenize(text, true);
}

async function body(request) {
    const parts = [];
    let size = 0;
    for await (const part of request) {
        size += part.length;
        if (size > LARGEST_BODY) throw new Error(`more than ${LARGEST_BODY} bytes were sent`);
        parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
}

let turn = Promise.resolve();

createServer(async (request, reply) => {
    let status = 200;
    let told;
    try {
        const asked = await body(request);
        const tokens = tokensOf(request.url, asked);
        const mine = turn.then(() => answer(tokens, asked));
        turn = mine.catch(() => undefined);
        const {response, usage, finish_reason} = await mine;
        const text = request.url.includes("/chat/")
            ? {message: {role: "assistant", content: response}} : {text: response};
        told = {model: name, choices: [{index: 0, finish_reason, ...text}], usage};
    } catch (error) {
        status = 400;
        told = {error: {message: String(error.message ?? error)}};
    }
    reply.writeHead(status, {"Content-Type": "application/json"});
    reply.end(JSON.stringify(told));
}).listen(Number(port), "127.0.0.1", function () {
    console.log(`${name} answers at http://127.0.0.1:${this.address().port}/v1/chat/completions`);
});
