/** The attributes, and the members of objects, whose texts people see or hear. */
const readMembers =
  /^(?:about|alt|aria-(?:description|label|placeholder|roledescription|valuetext)|caption|heading|hint|label|legend|nothing|placeholder|save|saved|tabTitle|text|title|unit|valueText)$/;

/** Names and addresses that are the same in every language. */
const isNoText = (text: string) => !/\p{L}/u.test(text) || /^(?:Trackside|[a-z.]+\.example\.com)$/.test(text);

type Node = { type: string; [member: string]: unknown };

/** Finds the texts of a component: between tags, in attributes that people read, and in messages. */
export function findTexts(root: object): string[] {
  const found: string[] = [];
  const add = (text: string) => {
    const trimmed = text.trim();
    if (!isNoText(trimmed)) found.push(trimmed.replace(/,$/, ''));
  };

  function walk(node: Node): void {
    if (isCode(node)) return;
    if (node.type === 'JSXText') add(String(node.value));
    // A member of an object, such as a column of a table.
    if ((node.type === 'JSXAttribute' || node.type === 'Property') && readMembers.test(nameOf(node)))
      readValue(node.value as Node);
    if (node.type === 'CallExpression' && (node.callee as Node).name === 'say')
      for (const argument of node.arguments as Node[]) readValue(argument);
    for (const child of childrenOf(node)) {
      const isBetweenTags = node.type === 'JSXElement' || node.type === 'JSXFragment';
      if (isBetweenTags && child.type === 'JSXExpressionContainer') readValue(child);
      walk(child);
    }
  }

  /** Returns the texts that an expression can evaluate to. */
  function readValue(node: Node): void {
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.value);
    else if (node.type === 'TemplateLiteral')
      for (const part of node.quasis as { value: { cooked: string } }[]) add(part.value.cooked);
    else if (node.type === 'JSXExpressionContainer') readValue(node.expression as Node);
    else if (node.type === 'ConditionalExpression')
      for (const branch of [node.consequent, node.alternate]) readValue(branch as Node);
    else if (node.type === 'LogicalExpression') readValue(node.right as Node);
    else if (node.type === 'BinaryExpression' && node.operator === '+')
      for (const side of [node.left, node.right]) readValue(side as Node);
  }

  walk(root as Node);
  return found;
}

/** What is typed into a terminal or a program is the same in every language. */
function isCode({ type, openingElement }: Node): boolean {
  return type === 'JSXElement' && ((openingElement as Node).name as Node).name === 'code';
}

function nameOf({ key, name }: Node): string {
  const named = (key ?? name) as Node;
  return String(named.name ?? named.value);
}

function childrenOf(node: Node): Node[] {
  const isNode = (value: unknown): value is Node =>
    typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
  return Object.values(node)
    .flat()
    .filter((value) => isNode(value));
}
