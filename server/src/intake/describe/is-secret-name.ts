// Words that reveal a secret or a person anywhere in the name: accessToken, user_email.
const anywhere =
  /token|passw|passphrase|passcode|secret|credential|signature|e_?mail|jwt|session|sess_?id|api_?key|oauth|authori[sz]|bearer|phone|cookie|csrf|xsrf|user_?name|surname|first_?name|last_?name|full_?name|birth/;

// Short words that count only on their own: `key` but not `keyword`, `auth` but not `author`.
const asWord =
  /_(?:auth|authn|authz|key|keys|code|codes|pass|pwd|pw|psw|psswd|sid|sess|sig|otp|totp|mfa|pin|ip|ipv4|ipv6|ip_?addr|ip_?address|client_?ip|remote_?addr|mail|mails|hash|hmac|nonce|ticket|saml|cvv|cvc|iban|ssn|dob|tel|telephone|mobile|msisdn|login|magic|invite|sso|street|address|addr)_/;

// Compound spellings: accesskey, activationcode, PHPSESSID, userpwd, basicauth.
const atWordEnd = /(?:key|code|pwd|sid|auth|otp|ticket|mail|ipaddr)_/;

/** Returns whether a parameter of this name may hold a secret or identify someone. */
export function isSecretName(name: string): boolean {
  const words = `_${name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase()}_`;
  return anywhere.test(words) || asWord.test(words) || atWordEnd.test(words);
}
