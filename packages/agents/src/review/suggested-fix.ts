/**
 * A suggested fix may be code, a sentence, or Markdown with both.
 *
 * @module
 */
import { extension } from './file-kind.ts';
import { clip, codeBlock, codeSpan, visible } from './markdown.ts';
import { neutraliseBlocks } from './neutralise.ts';

const MAX_CHARS = 4000;

const STATEMENT =
  /^\s*(?:const|let|var|return|import|export|from|function|class|interface|type|async|await|def|defp|fn|func|pub|use|package|public|private|static|if|else|elif|for|while|switch|case|try|catch|throw|raise|with|select|insert|update|delete|create|alter|drop)\b.*[({[=;:'"`)]/i;
const CODE_END = /[;{}]\s*$|^\s*[)\]}]+[,;]?\s*$|=>\s*$/;
const CALL_OR_ASSIGNMENT = /^\s*[\w$.[\]'"]+\s*(?:\(.*\)[;,]?|[-+*/|&?]?=[^=].*)\s*$/;
const MARKUP_OR_COMMENT = /^\s*(?:<\/?[a-z][^>]*>|\/\/|#!|#include|\/\*|\*\/|@[a-z]+\()/i;
const SENTENCE = /^[A-Z][a-z]*(?: [^\s]+){3,}[.!?]$/;

/** The fix as Markdown: a code block where it is code, in the language of the file that it is for. */
export function writeFix(fix: string, path: string): string {
  const text = fix.trim();
  if (!/^\s*(?:`{3}|~{3})/m.test(text) && isCode(text)) {
    return codeBlock(visible(clip(fix.replace(/^\s*\n|\s+$/g, ''), MAX_CHARS)), extension(path));
  }
  return /^[\w$.-]+$/.test(text) ? codeSpan(text) : neutraliseBlocks(text, MAX_CHARS);
}

/** Whether most lines of a text look like code. */
function isCode(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const code = lines.filter(isCodeLine).length;
  return code > 0 && code * 2 >= lines.length;
}

function isCodeLine(line: string): boolean {
  if (SENTENCE.test(line.trim())) return false;
  return [CODE_END, STATEMENT, CALL_OR_ASSIGNMENT, MARKUP_OR_COMMENT].some((pattern) => pattern.test(line));
}
