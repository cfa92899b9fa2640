/** Collects the values of a statement as bound parameters: what a person typed never becomes part of the text. */
export class Parameters {
  readonly values: Record<string, unknown> = {};
  readonly #added: { type: string; value: unknown; sql: string }[] = [];

  /** Binds a value and returns what stands for it in the statement; the same again for the same value. */
  add(type: string, value: unknown): string {
    const known = this.#added.find((added) => added.value === value && added.type === type);
    if (known !== undefined) return known.sql;
    const name = `p${this.#added.length + 1}`;
    const sql = `{${name}:${type}}`;
    this.values[name] = value;
    this.#added.push({ type, value, sql });
    return sql;
  }
}
