import { PhpNode } from 'php-wasm/PhpNode.mjs';
const php = new PhpNode();
php.addEventListener('output', ({ detail }) => process.stdout.write(detail.join('')));
await php.run('<?php $t = []; for ($i = 0; $i < 2000; $i++) $t[] = md5((string)$i); sort($t); echo $t[0], " ", count($t), "\n";');
