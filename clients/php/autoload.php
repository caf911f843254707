<?php

declare(strict_types=1);

// For whoever copied the folder and has no Composer.
spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Lending\\')) {
        return;
    }
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Lending\\'))) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
