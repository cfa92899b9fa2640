// More than any value needs; a longer one is not what it seems.
const longestValue = 4096;

/**
 * The text that a geolocation header means. Cloudflare sends UTF-8, which Node and fetch present byte by
 * byte; Vercel and CloudFront send percent encoding. What is neither stays as it is.
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

/** The text in base64, undefined when it is not base64 of UTF-8. */
export function readBase64Text(value: string | undefined): string | undefined {
  if (value === undefined || value.length > longestValue) return undefined;
  try {
    return decodeUtf8(atob(value));
  } catch {
    return undefined;
  }
}

function decodeBytes(value: string): string {
  // A sign beyond one byte shows that somebody has decoded it already.
  if (!/[\x80-\xff]/.test(value) || /[^\0-\xff]/.test(value)) return value;
  try {
    return decodeUtf8(value);
  } catch {
    return value;
  }
}

/** Of bytes that stand one in each character; throws when they are not UTF-8. */
function decodeUtf8(text: string): string {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
