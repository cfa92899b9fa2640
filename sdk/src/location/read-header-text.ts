// More than any value needs.
const longestValue = 4096;

/**
 * Returns the text that a geolocation header means. Cloudflare sends UTF-8, which Node and fetch present byte
 * by byte. Vercel and CloudFront send percent encoding. Anything else stays as it is.
 */
export function readHeaderText(value: string | undefined): string | undefined {
  if (value === undefined || value.length > longestValue) return undefined;
  const text = decodeBytes(value);
  if (!/%[\da-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the text in base64, or undefined if it is not base64 of UTF-8. */
export function readBase64Text(value: string | undefined): string | undefined {
  if (value === undefined || value.length > longestValue) return undefined;
  try {
    return decodeUtf8(atob(value));
  } catch {
    return undefined;
  }
}

function decodeBytes(value: string): string {
  // A character above one byte shows that the text is already decoded.
  if (!/[\x80-\xff]/.test(value) || /[^\0-\xff]/.test(value)) return value;
  try {
    return decodeUtf8(value);
  } catch {
    return value;
  }
}

/** Decodes a text in which each character is one byte. Throws if the bytes are not UTF-8. */
function decodeUtf8(text: string): string {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
