import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { ROOT } from "./project";

/** A text in the source: a literal, or literals that are joined, with `…` in place of each value. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** The texts in the source of some folders. */
export function textsIn(...folders: readonly string[]): SourceText[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/\.d\.ts$|(^|\/)(dist|node_modules)\//.test(name))
      .flatMap((name) => textsOfFile(join(ROOT, folder, name))),
  );
}

function textsOfFile(path: string): SourceText[] {
  const file = relative(ROOT, path);
  const found: SourceText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const text = ts.isExpression(node) ? wholeText(node) : undefined;
    if (text !== undefined) found.push({ file, text });
    // The values in a template can have texts of their own.
    ts.forEachChild(node, text === undefined || ts.isTemplateExpression(node) ? visit : () => {});
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ESNext, false));
  return found;
}

/** The text of a literal, a template, or texts that are joined with `+`; undefined for another expression. */
function wholeText(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => `…${literal.text}`)].join("");
  if (ts.isParenthesizedExpression(node)) return wholeText(node.expression);
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [wholeText(node.left), wholeText(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? "…"}${right ?? "…"}`;
}
