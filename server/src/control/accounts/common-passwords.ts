/** The passwords that guessing begins with, of those that are long enough. In lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
    0000000000 0123456789 0987654321 1111111111 1122334455 1234512345
    1234567890 12345678910 123456789a 123123123123 123qwe123qwe 9876543210
    1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedcrfv
    qwertyuiop qwerty12345 qwerty123456 qwertyuiop123 asdfghjkl123 zxcvbnm123
    a123456789 aaaaaaaaaa abcd123456 abcdefghij abc123abc123 asdfasdfasdf
    password10 password12 password123 password1234 passwordpassword mypassword
    p@ssw0rd123 p@ssword123 passw0rd123 adminadmin admin12345 admin123456
    administrator changeme123 letmein123 welcome123 iloveyou123 trustno1trustno1
    football123 basketball sunshine123 princess123 correcthorsebatterystaple
    trackside1 trackside123 tracksideadmin
  `
    .trim()
    .split(/\s+/),
);
