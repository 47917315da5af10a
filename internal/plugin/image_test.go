package plugin

import (
	"bytes"
	"compress/flate"
	"image"
	"image/png"
)

// onePixel is a PNG.
func onePixel() []byte {
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// packer is one compressor for all tests, which run one after the other: a new
// one takes a megabyte.
var packer, _ = flate.NewWriter(nil, flate.DefaultCompression)

// deflated packs content.
func deflated(content []byte) []byte {
	var out bytes.Buffer
	packer.Reset(&out)
	_, err := packer.Write(content)
	if err == nil {
		err = packer.Close()
	}
	if err != nil {
		panic(err)
	}
	return out.Bytes()
}
