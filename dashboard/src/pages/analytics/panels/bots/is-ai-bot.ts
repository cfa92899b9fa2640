const makers = /gpt|oai-|openai|claude|anthropic|perplexity|gemini|mistral|cohere|deepseek|grok|phind|llama/;
const crawlers =
  /(?:byte|tiktok)spider|(?:cc|diff|you|ai2)bot|timpi|imagesift|img2dataset|omgili|webzio|pangu|cotoyogi/;
const ofGoogle = /google-(?:extended|cloudvertex|notebook|agent)|google(?:other|agent)/;
const ofLargeFirms =
  /amazon(?!aws)|amzn|bedrock|applebot-extended|meta-(?:external|webindexer)|facebookbot|duckassist|azureai/;
const tools =
  /crawl4ai|firecrawl|tavily|linkup|linerbot|iask|manus|novaact|devin|chatglm|kagi-fetcher|quillbot|andibot/;
const others = /\bai\b|ai(?:bot|crawler|spider)\b/;

/** Whether a bot reads for a language model: to train it, to search for it, or for a user who asked it. */
export function isAiBot(name: string): boolean {
  const lower = name.toLowerCase();
  return [makers, crawlers, ofGoogle, ofLargeFirms, tools, others].some((pattern) => pattern.test(lower));
}
