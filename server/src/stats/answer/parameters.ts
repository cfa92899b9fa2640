/** Collects the values of a statement as bound parameters: what a person typed never becomes part of the text. */
export class Parameters {
  readonly values: Record<string, unknown> = {};
  #count = 0;

  /** Binds a value and returns what stands for it in the statement. */
  add(type: string, value: unknown): string {
    this.#count += 1;
    const name = `p${this.#count}`;
    this.values[name] = value;
    return `{${name}:${type}}`;
  }
}
