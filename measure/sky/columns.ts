/** Numbers that come one by one. Without this, each of a million would be an object. */
export class Column {
  #values = new Float64Array(1024);
  #length = 0;

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const more = new Float64Array(2 * this.#length);
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[this.#length++] = value;
  }

  all(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }
}
