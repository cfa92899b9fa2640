/**
 * Invisible characters, and those that change the order of the text around them: controls, direction marks,
 * line separators, and letters without a width. Joiners may stay where emoji and some scripts need them.
 */
const unseen =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{sc=Arabic}\p{sc=Syriac}])[\u200c\u200d]|(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu;

/**
 * Returns a text that others have chosen, such as the name of an event, in a form that can't be confused with
 * another text: invisible characters are spelled out.
 */
export const shownText = (text: string): string =>
  text.replace(unseen, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
