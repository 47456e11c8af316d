import { XmlDocument } from 'libxml2-wasm';
const document = XmlDocument.fromString(`<root>${'<item n="1"><b>text</b></item>'.repeat(300)}</root>`);
console.log(document.find('//b').length, document.eval('count(//item)'));
document.dispose();
