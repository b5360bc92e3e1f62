import { Component, type ComponentType, h } from "preact";

/** A component that is drawn again only if one of its properties changes. */
export function memo<Props extends object>(Inner: ComponentType<Props>): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return (Object.keys(next) as (keyof Props)[]).some((key) => next[key] !== this.props[key]);
    }

    render() {
      return h(Inner, this.props);
    }
  };
}
